/** Where our answer is another than the server's, with the reason. The test fails when one of these is no longer a difference. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  "Pod: with a volume for its token":
    "no volume with a token is added: no container runs here that could read it, and each pod would be larger",
  "VolumeAttributesClass: is protected": "nothing here would take the finalizer off again",
};
