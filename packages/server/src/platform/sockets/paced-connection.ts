import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { PendingAnswers } from './pending-answers.js';
import type { WorkQueue } from './work-queue.js';

/** The limits of one connection. */
export interface ConnectionBounds {
  /** A client that reads no byte of its answer for this long is cut off. Milliseconds. */
  readonly stallMs: number;
  readonly pending: PendingAnswers;
  /** Long reads and writes queue, over all connections. */
  readonly turns: WorkQueue;
}

/**
 * A client's connection as Node's HTTP server reads and writes it. The server gets bytes in small slices, and none
 * while the connection is held. Otherwise Node's parser would create thousands of requests from one read. Bytes for
 * the client count as pending until the system has taken them; a client that reads none is cut off.
 */
export class PacedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly remoteFamily: string | undefined;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  readonly localFamily: string | undefined;
  readonly #socket: Socket;
  readonly #bounds: ConnectionBounds;
  /** Bytes read and not yet passed on. */
  #unread: Buffer | null = null;
  /** At least this many of the next bytes belong to a body. */
  #bodyBytes = 0;
  #isWanted = false;
  #isHandingOn = false;
  #hasEnded = false;
  #isHeld = false;
  #isStalled = false;
  #isResting = false;

  constructor(socket: Socket, bounds: ConnectionBounds) {
    super({ allowHalfOpen: true, readableHighWaterMark: SLICE_BYTES });
    this.#socket = socket;
    this.#bounds = bounds;
    this.remoteAddress = socket.remoteAddress;
    this.remotePort = socket.remotePort;
    this.remoteFamily = socket.remoteFamily;
    this.localAddress = socket.localAddress;
    this.localPort = socket.localPort;
    this.localFamily = socket.localFamily;
    socket
      .on('data', (bytes: Buffer) => {
        this.#unread = bytes;
        this.#handOn();
        if (this.#unread || !this.#isWanted) socket.pause();
        else if (bytes.byteLength >= TURN_BYTES) this.#waitForTurn();
      })
      .on('end', () => {
        this.#hasEnded = true;
        this.#handOn();
      })
      .on('timeout', () => {
        if (this.#isStalled) this.destroy();
        else this.emit('timeout');
      })
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy())
      .pause();
  }

  /** How many bytes the client has sent. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /**
   * Sets the body length of the request that the server has just read: bytes that certainly belong to it need no small
   * slices.
   */
  expectBody(bytes: number): void {
    this.#bodyBytes = Math.max(0, bytes - SLICE_BYTES);
  }

  /** Passes nothing more to the server until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Continues after `hold`. */
  release(): void {
    this.#isHeld = false;
    this.#handOn();
  }

  /** As the timeout of a socket: emits `timeout` after a time without a byte in either direction. 0 turns it off. */
  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  /** Closes the connection once everything written has been taken. */
  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#handOn();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const send = () => this.#send(chunk.byteLength, done, (sent) => this.#socket.write(chunk, sent));
    if (chunk.byteLength < TURN_BYTES) send();
    else this.#bounds.turns(send);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.byteLength, 0);
    this.#send(bytes, done, (sent) => {
      const last = chunks.length - 1;
      this.#socket.cork();
      for (const [index, { chunk }] of chunks.entries()) this.#socket.write(chunk, index === last ? sent : undefined);
      this.#socket.uncork();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#unread = null;
    this.#bounds.pending.forget(this);
    // Without chunks (HTTP/1.0), an ordinary end would make a part of an answer look whole.
    if (error && !this.#socket.writableEnded) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
    done(error);
  }

  #handOn(): void {
    this.#isWanted = true;
    // The consumer of a slice requests the next one before it is done with the first.
    if (this.#isHandingOn) return;
    this.#isHandingOn = true;
    while (this.#isWanted && this.#unread && !this.#isHeld) {
      const bytes = Math.max(SLICE_BYTES, this.#bodyBytes);
      const slice = this.#unread.subarray(0, bytes);
      this.#unread = this.#unread.byteLength > bytes ? this.#unread.subarray(bytes) : null;
      this.#bodyBytes = Math.max(0, this.#bodyBytes - slice.byteLength);
      this.#isWanted = false;
      if (this.push(slice)) this.#isWanted = true;
    }
    this.#isHandingOn = false;
    const isWaiting = !this.#isWanted || this.#unread !== null || this.#isHeld || this.#isResting;
    if (isWaiting || this.readableEnded || this.destroyed) return;
    if (this.#hasEnded) this.push(null);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** The system has more than one read: a few connections are read on in each turn of the event loop. */
  #waitForTurn(): void {
    this.#socket.pause();
    this.#isResting = true;
    this.#bounds.turns(() => {
      this.#isResting = false;
      this.#handOn();
    });
  }

  #send(bytes: number, done: (error?: Error | null) => void, write: (sent: (error?: Error | null) => void) => void) {
    this.#bounds.pending.add(this, bytes);
    write((error) => {
      this.#bounds.pending.remove(this, bytes);
      if (this.#isStalled) {
        this.#isStalled = false;
        this.#socket.setTimeout(0);
      }
      done(error);
    });
    if (this.#socket.writableLength === 0 || this.destroyed) return;
    this.#isStalled = true;
    this.#socket.setTimeout(this.#bounds.stallMs);
  }
}

// --- internal ---

/** A few dozen of the shortest requests. */
const SLICE_BYTES = 1024;

/** As much as Node reads from a socket at a time. */
const TURN_BYTES = 64 * 1024;
