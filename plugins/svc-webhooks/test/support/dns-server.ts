/** A name server on loopback that answers questions for A records (RFC 1035) with what a test says at that moment. */
import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { Lookup } from '../../src/ssrf/lookup.ts'

/** Addresses, or a response code: 2 is a failure of the server, 3 says that there is no such name. */
export type DnsAnswer = readonly string[] | 2 | 3

export class DnsServer {
  readonly #socket: Socket
  /** Asked for each question, with its number from 1 on. */
  answer: (question: number) => DnsAnswer = () => 3
  questions = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (query, { port, address }) => {
      this.questions += 1
      socket.send(respond(query, this.answer(this.questions)), port, address)
    })
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new DnsServer(socket)
  }

  /** Asks this server and no other, and caches nothing. */
  get lookup(): Lookup {
    const resolver = new Resolver({ tries: 1 })
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`])
    return async (host) => (await resolver.resolve4(host)).map((address) => ({ address, family: 4 }))
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}

function respond(query: Buffer, answer: DnsAnswer): Buffer {
  const addresses = typeof answer === 'number' ? [] : answer
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([header, question, ...addresses.map(aRecord)])
}

/** Points back to the name in the question; may not be kept for a second. */
function aRecord(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
}
