import type { Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';

/** The service that served this page, spoken to in Connect's JSON: readable in the browser's network view. */
export const baseUrl = window.location.origin;

/** Calls without a credential: signing in, and renewing by the cookie. */
export const publicTransport: Transport = createConnectTransport({ baseUrl });
