/** The least that objects of kinds that are only stored must say, for suites that make one of each. */

/** A request for a certificate, as a file of PEM in base64. Its key was thrown away. */
const REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIT01IVUNBUUF3RXpFUk1BOEdBMVVFQXd3SWMyOXRaV0p2Wkhrd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqTwpQUU1CQndOQ0FBU0NMbWxyWjJvVDdxUjB6Vy9rRDE3cjlBdW1LZURuYitEWWdDNTllclhQNndTRkJ6OG1WSkZuCkk4ZmxRVTZsQkxycnhCZ1BSbDZTSVo5T2NBTWM2T3lnb0FBd0NnWUlLb1pJemowRUF3SURTUUF3UmdJaEFJSGsKM3VaRjN1V056RWVmdThZbTd0dzQ1aDhVOC90VE9BazNvU1V2bzhFU0FpRUExRXJlZGtiMnRFNVFjdGgySkUwVApSMm5qQ1RYbGNMNGpIdkRveCtVSFU3bz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

export const signingRequest = {
  spec: { request: REQUEST, signerName: "example.com/signer", usages: ["digital signature", "client auth"] },
};
export const flowSchema = { spec: { priorityLevelConfiguration: { name: "global-default" } } };
export const priorityLevel = {
  spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
};
export const deviceClass = { spec: {} };
const devices = {
  requests: [
    { name: "one", exactly: { deviceClassName: "gpu" } },
    {
      name: "either",
      firstAvailable: [
        { name: "all", deviceClassName: "gpu", allocationMode: "All", tolerations: [{ key: "a" }] },
        { name: "two", deviceClassName: "gpu", count: 2 },
      ],
    },
  ],
};
export const resourceClaim = { spec: { devices } };
export const resourceClaimTemplate = { spec: { spec: { devices } } };
export const resourceSlice = {
  spec: {
    driver: "gpu.example.com",
    nodeName: "worker",
    pool: { name: "pool", generation: 1, resourceSliceCount: 1 },
    devices: [{ name: "gpu-0", attributes: { model: { string: "large" } }, capacity: { memory: { value: "10Gi" } } }],
  },
};
export const address = { spec: { parentRef: { resource: "services", namespace: "default", name: "web" } } };
export const range = { spec: { cidrs: ["192.0.2.0/24"] } };
export const apiService = (group: string) => ({
  spec: { group, version: "v1", groupPriorityMinimum: 100, versionPriority: 10 },
});
