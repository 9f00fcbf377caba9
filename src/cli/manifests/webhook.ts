export const WEBHOOK_PORT = 8443;
