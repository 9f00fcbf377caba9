export const openApiIndex = (_: unknown): object => ({ paths: {} });
export const openApiDocument = (..._: unknown[]): object | undefined => undefined;
export const versionDocument = (): object => ({ major: "1", minor: "36", gitVersion: "v1.36.3+outgrow", gitCommit: "", gitTreeState: "clean", buildDate: "1970-01-01T00:00:00Z", goVersion: "", compiler: "", platform: "" });
