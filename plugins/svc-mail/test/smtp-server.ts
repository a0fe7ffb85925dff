/** A mail server by RFC 5321, as far as a sender needs one: it answers as a test says, and keeps what it took. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, without the dots that SMTP adds. */
  readonly data: string
}

/** What it answers to a command in place of its usual answer; `close` ends the connection. */
export type Script = (command: string) => string | undefined

export class SmtpServer {
  readonly taken: TakenMail[] = []
  readonly commands: string[] = []
  script: Script = () => undefined
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined)
      this.#talk(socket)
    })
  }

  static async start(t: Test): Promise<SmtpServer> {
    const smtp = new SmtpServer()
    smtp.#server.listen(0, '127.0.0.1')
    await once(smtp.#server, 'listening')
    t.teardown(() => {
      for (const socket of smtp.#sockets) socket.destroy()
      smtp.#server.close()
    })
    return smtp
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #talk(socket: Socket): void {
    const session = new Session(this, socket)
    socket.on('data', (chunk) => session.hear(chunk.toString()))
  }
}

/** One connection. */
class Session {
  readonly #server: SmtpServer
  readonly #socket: Socket
  #text = ''
  #isData = false
  #from = ''
  #to: string[] = []

  constructor(server: SmtpServer, socket: Socket) {
    this.#server = server
    this.#socket = socket
    this.#say('220 test.example')
  }

  hear(text: string): void {
    this.#text += text
    for (;;) {
      const mark = this.#isData ? '\r\n.\r\n' : '\r\n'
      const end = this.#text.indexOf(mark)
      if (end === -1) return
      const part = this.#text.slice(0, end)
      this.#text = this.#text.slice(end + mark.length)
      if (this.#isData) this.#take(part)
      else this.#obey(part)
    }
  }

  #take(part: string): void {
    this.#isData = false
    const answer = this.#server.script('.') ?? '250 taken'
    const data = part.replace(/^\.\./gm, '.')
    // Taken, whatever becomes of the answer.
    if (!/^[45]/.test(answer)) this.#server.taken.push({ from: this.#from, to: this.#to, data })
    this.#say(answer)
  }

  #obey(line: string): void {
    const [, address = ''] = /<(.*)>/.exec(line) ?? []
    const name = /^(?:MAIL FROM|RCPT TO|\w+)/i.exec(line)?.[0].toUpperCase() ?? ''
    const isTaken = this.#answer(line, USUAL[name] ?? '250 ok')
    if (!isTaken) return
    if (name === 'MAIL FROM') [this.#from, this.#to] = [address, []]
    if (name === 'RCPT TO') this.#to.push(address)
    if (name === 'DATA') this.#isData = true
  }

  /** @returns whether the command was taken */
  #answer(command: string, usual: string): boolean {
    this.#server.commands.push(command)
    const scripted = this.#server.script(command)
    this.#say(scripted ?? usual)
    return scripted === undefined || scripted.startsWith('2')
  }

  #say(answer: string): void {
    if (answer === 'close') this.#socket.destroy()
    else this.#socket.write(`${answer}\r\n`)
  }
}

const USUAL: Readonly<Record<string, string>> = {
  EHLO: '250-test.example\r\n250-AUTH PLAIN\r\n250 8BITMIME',
  AUTH: '235 in',
  DATA: '354 go on',
  QUIT: '221 bye'
}
