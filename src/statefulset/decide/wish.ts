/** The wish, as the rules of growing speak of it; admission reads the same. */
export { checkWish, formatWish, parseWish, readWish, type Wish, type WishProblem } from "../../core/wish.ts";
