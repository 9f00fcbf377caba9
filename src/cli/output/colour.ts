import { styleText } from "node:util";

type Paint = (text: string) => string;

/** Colours for the few words that should catch the eye. Without colours every text stays as it is. */
export interface Palette {
  readonly good: Paint;
  readonly careful: Paint;
  readonly bad: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

export function palette(colours: boolean): Palette {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: paint("green"),
    careful: paint("yellow"),
    bad: paint("red"),
    strong: paint("bold"),
    faint: paint("dim"),
  };
}
