import { createServer, type IncomingMessage, request } from 'node:http';

/**
 * Adds a credential to whatever comes by, for suites that cannot be given one. A client that can be asked questions is also said to be able to show an
 * address: that is the only way our server asks, and the suite has no client that says so.
 */
export async function startCredentialProxy(target: () => string, token: string): Promise<{ origin: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = incoming.headers;
      const onward = request(target(), { method: incoming.method, headers: { ...headers, authorization: `Bearer ${token}` } }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      onward.end(withAddresses(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  return text;
}

const withAddresses = (body: string): string => body.replace('"elicitation":{}', '"elicitation":{"form":{},"url":{}}');
