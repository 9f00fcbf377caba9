/** A part of the server that is large, and that most clusters never need: it is loaded when somebody does. */
export interface Lazy<M> {
  readonly isLoaded: boolean;
  /** At once, once it is loaded. */
  use<T>(act: (module: M) => T | Promise<T>): T | Promise<T>;
  /** For what cannot wait: whoever asks sees to it that it was loaded before. Throws where it was not. */
  loaded(): M;
}

export function lazy<M>(load: () => Promise<M>): Lazy<M> {
  let module: M | undefined;
  let loading: Promise<M> | undefined;
  return {
    get isLoaded() {
      return module !== undefined;
    },
    use(act) {
      if (module !== undefined) return act(module);
      loading ??= load().then((loaded) => {
        module = loaded;
        return loaded;
      });
      return loading.then(act);
    },
    loaded() {
      if (module === undefined) throw new Error("this part of the server is not loaded");
      return module;
    },
  };
}
