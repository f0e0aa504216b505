import { errorText, type MessageId } from '../json-rpc.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const json = (status: number, text: string): Response => new Response(text, { status, headers: HEADERS });

export const rpcError = (status: number, error: { code: number; message: string; data?: unknown }, id: MessageId | null = null): Response =>
  json(status, errorText(id, error));

/** Notifications are taken and answered with nothing (B146). */
export const accepted = (): Response => new Response(null, { status: 202 });

/** Nothing but POST: no stream to open, no session to end (B145, B168). */
export const notAllowed = (): Response => new Response(null, { status: 405, headers: { allow: 'POST', 'cache-control': 'no-store' } });
