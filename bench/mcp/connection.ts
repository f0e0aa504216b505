import { connect, type Socket } from 'node:net';

/** One keep-alive connection with one call in flight, so bare that measuring costs little. */
export class Connection {
  private readonly socket: Socket;
  private text = '';
  private settle: ((failure?: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.take(chunk));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Rejects unless it is answered with a result. */
  call(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settle = (failure) => (failure ? reject(failure) : resolve());
      this.socket.write(bytes);
    });
  }

  close(): void {
    this.settle = undefined;
    this.socket.destroy();
  }

  private take(chunk: string): void {
    this.text += chunk;
    if (!isWhole(this.text)) return;
    const { text } = this;
    this.text = '';
    const isGood = text.startsWith('HTTP/1.1 200') && text.includes('"result":{') && !text.includes('"isError":true');
    this.end(isGood ? undefined : new Error(`no result: ${text.slice(0, 2_000)}`));
  }

  private end(failure?: Error): void {
    const { settle } = this;
    this.settle = undefined;
    settle?.(failure);
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}
