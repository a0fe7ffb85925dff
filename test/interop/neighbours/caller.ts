/** A client on a real connection that keeps the cookies it is given, several at once, as a browser does. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { API, PASSWORD } from '../../support/account-app.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is compared, not assumed
  json(): any
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object goes as JSON; anything else as `fetch` sends it. */
  readonly body?: unknown
}

export class Caller {
  readonly #origin: string
  readonly cookies = new Map<string, string>()
  /** Sent with every request: what a page of ours adds. */
  readonly proof: Record<string, string> = {}

  constructor(port: number) {
    this.#origin = `http://127.0.0.1:${port}`
  }

  /** Redirects are not followed. */
  async ask(path: string, { method, headers = {}, body }: Sent = {}): Promise<Answer> {
    const isJson = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
    const { cookie } = this
    const answer = await fetch(`${this.#origin}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...this.proof,
        ...(cookie === '' ? {} : { cookie }),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string | FormData) })
    })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) }
  }

  /** What a WebSocket answers to one message; it is opened as a page of the server opens it. */
  async talk(path: string, message: unknown): Promise<unknown> {
    const headers = { cookie: this.cookie, origin: this.#origin }
    const socket = new WebSocket(`${this.#origin.replace('http', 'ws')}${path}`, { headers })
    await once(socket, 'open')
    socket.send(JSON.stringify(message))
    const [answer] = await once(socket, 'message')
    socket.terminate()
    return JSON.parse(String(answer))
  }

  /** Logs in as alice, and sends the CSRF token from then on. */
  async login(): Promise<this> {
    const login = await this.ask(`${API}/auth/login`, { body: { username: 'alice', password: PASSWORD } })
    if (login.status !== 200) throw new Error(`the login was answered ${login.status}: ${login.text}`)
    this.proof['x-csrf-token'] = (await this.ask(`${API}/auth/csrf`)).json().csrfToken
    return this
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
