/**
 * Everything at once, as users do it: sessions, bearers, rows, keys, endpoints, sockets. Each actor knows which answers are
 * right at any time, and writes down what was acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { API } from '../../support/account-app.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { RpcSocket } from '../../support/rpc-socket.ts'
import { SocketClient } from '../../support/socket-client.ts'
import type { Ledger } from './ledger.ts'
import type { Subject } from './subject.ts'
import { ADMINISTRATOR, PASSWORD, PEOPLE } from './subject-app.ts'

/** One application, or several instances behind one address. */
export type Served = Pick<Subject, 'port' | 'lives' | 'running'>

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly cookie: string
}

type Headers = Readonly<Record<string, string>>

const UNAVAILABLE = 503
/** A balancer that got no answer. */
const BAD_GATEWAY = 502
/** Between two acts of one actor. */
const PAUSE_MS = 120
/** Between two of one whose acts leave something behind. */
const RARE_MS = 1_200

export class MixedLoad {
  readonly #subject: Served
  readonly #ledger: Ledger
  readonly #receiver: string
  /** Storage that is away or full, and can or cannot be read: what an answer may be depends on it. */
  #readable = true
  #running = false
  #actors: Promise<void>[] = []
  #sessions = new Map<string, string>()
  #proof: Headers = {}
  #bearer: Headers = {}
  #apiKey: Headers = {}
  #made = 0
  readonly #pauseMs: number

  /** @param pauseMs of each actor between two acts */
  constructor(subject: Served, ledger: Ledger, receiver: string, pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs
    this.#subject = subject
    this.#ledger = ledger
    this.#receiver = receiver
  }

  /** Logs in once, before anything goes wrong; what is got here has to hold until the end. */
  async prepare(): Promise<void> {
    for (const person of [...PEOPLE, ADMINISTRATOR]) this.#sessions.set(person, await this.#login(person))
    const cookie = this.session(ADMINISTRATOR)
    const { body } = await this.must('GET', `${API}/auth/csrf`, { cookie })
    this.#proof = { cookie, 'x-csrf-token': String(body.csrfToken) }
    const login = { username: 'ann', password: PASSWORD }
    const { body: token } = await this.must('POST', `${API}/token`, {}, login)
    this.#bearer = { authorization: `Bearer ${token.access_token}` }
    const { body: key } = await this.must('POST', `${API}/keys`, this.#proof, { name: 'robot' })
    this.#apiKey = { authorization: `Bearer ${key.token}` }
    await this.must('POST', `${API}/webhooks`, this.#proof, { url: this.#receiver, events: ['login.failure'] })
  }

  start(): void {
    this.#running = true
    const acts = [
      ...PEOPLE.map((person) => () => this.#visit(person)),
      () => this.#callAsMachine('jwt', this.#bearer, 'ann'),
      () => this.#callAsMachine('apikey', this.#apiKey, ADMINISTRATOR),
      () => this.#openPage(),
      () => this.#writeNote(),
      () => this.#logInAndOut(),
      () => this.#makeKey(),
      () => this.#makeEndpoint(),
      () => this.#ring()
    ]
    this.#actors = [...acts.map((act) => this.#repeat(act)), this.#repeat(() => this.#talk('ben'))]
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#actors)
  }

  /** Says whether what is stored can be read from now on. */
  set readable(readable: boolean) {
    this.#readable = readable
  }

  session(person: string): string {
    return this.#sessions.get(person) ?? ''
  }

  get bearer(): Headers {
    return this.#bearer
  }

  get proof(): Headers {
    return this.#proof
  }

  /** Asks, and expects success. @throws any other answer */
  async must(method: string, path: string, headers: Headers = {}, payload?: unknown): Promise<Reply> {
    const reply = await this.send(method, path, headers, payload)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply
  }

  async #repeat(act: () => Promise<void>): Promise<void> {
    while (this.#running) {
      await act()
      await sleep(this.#pauseMs)
    }
  }

  /** `null` for an answer that is 503, or that the end of the application cut off. */
  async #ask(label: string, right: number, method: string, path: string, headers: Headers, payload?: unknown) {
    const { lives, running } = this.#subject
    const readable = this.#readable
    try {
      const reply = await this.send(method, path, headers, payload)
      if (reply.status === BAD_GATEWAY) throw new Error('the instance behind the balancer gave none')
      this.#ledger.answered(label, reply.status)
      if (reply.status === right) return reply
      const refused = reply.status === UNAVAILABLE && !(READS.has(label) && readable && this.#readable)
      if (!refused) this.#ledger.violate(`${label}: ${reply.status} ${JSON.stringify(reply.body)} instead of ${right}`)
    } catch (error) {
      this.#ledger.answered(label, 'none')
      const ended = !running || !this.#subject.running || lives !== this.#subject.lives
      if (!ended) this.#ledger.violate(`${label}: no answer (${(error as Error).message})`)
    }
    return null
  }

  send(method: string, path: string, headers: Headers, payload?: unknown): Promise<Reply> {
    return exchange(this.#subject.port, method, path, headers, payload)
  }

  async #login(username: string): Promise<string> {
    const { cookie } = await this.must('POST', `${API}/auth/login`, {}, { username, password: PASSWORD })
    return cookie
  }

  async #visit(person: string): Promise<void> {
    for (const zone of ['visit', 'member']) {
      const label = `session on /${zone}`
      const reply = await this.#ask(label, 200, 'GET', `/${zone}/who`, { cookie: this.session(person) })
      if (reply !== null && reply.body.who !== person)
        this.#ledger.violate(`${label}: ${person} became ${reply.body.who}`)
    }
  }

  async #callAsMachine(label: string, headers: Headers, who: string): Promise<void> {
    const reply = await this.#ask(label, 200, 'GET', '/api/who', headers)
    if (reply !== null && reply.body.who !== who) this.#ledger.violate(`${label}: ${who} became ${reply.body.who}`)
  }

  /** A page for everyone asks no store: it is always there. */
  async #openPage(): Promise<void> {
    const { lives, running } = this.#subject
    const reply = await this.#ask('public page', 200, 'GET', '/open', {})
    if (reply === null && running && lives === this.#subject.lives) this.#ledger.violate('public page: refused')
  }

  async #writeNote(): Promise<void> {
    this.#made += 1
    const title = `note ${this.#made}`
    const made = await this.#ask('POST note', 201, 'POST', '/api/notes', this.#bearer, { title, body: 'x'.repeat(500) })
    if (made === null) return
    const id = String(made.body.id)
    this.#ledger.keep('note', id, title)
    const read = await this.#ask('GET note', 200, 'GET', `/api/notes/${id}`, this.#bearer)
    if (read !== null && read.body.title !== title) this.#ledger.violate(`note ${id} reads ${read.body.title}`)
    const renamed = `${title}, changed`
    this.#ledger.release('note', id)
    const changed = await this.#ask('PATCH note', 200, 'PATCH', `/api/notes/${id}`, this.#bearer, { title: renamed })
    this.#ledger.keep('note', id, changed === null ? '' : renamed)
  }

  async #logInAndOut(): Promise<void> {
    const payload = { username: 'dora', password: PASSWORD }
    const login = await this.#ask('POST login', 200, 'POST', `${API}/auth/login`, {}, payload)
    if (login === null) return
    this.#ledger.keep('session', login.cookie, 'dora')
    if (this.#made % 2 === 0) return
    const { cookie } = login
    const csrf = await this.#ask('GET csrf', 200, 'GET', `${API}/auth/csrf`, { cookie })
    if (csrf === null) return
    this.#ledger.release('session', cookie)
    const headers = { cookie, 'x-csrf-token': String(csrf.body.csrfToken) }
    const out = await this.#ask('POST logout', 200, 'POST', `${API}/auth/logout`, headers, {})
    if (out !== null) this.#ledger.keep('ended session', cookie)
  }

  async #makeKey(): Promise<void> {
    const made = await this.#ask('POST key', 201, 'POST', `${API}/keys`, this.#proof, { name: 'load' })
    if (made !== null) {
      const token = String(made.body.token)
      this.#ledger.keep('key', token, ADMINISTRATOR)
      if (this.#made % 2 === 0) {
        this.#ledger.release('key', token)
        const revoked = await this.#ask('DELETE key', 200, 'DELETE', `${API}/keys/${made.body.id}`, this.#proof)
        if (revoked !== null) this.#ledger.keep('revoked key', token)
      }
    }
    await sleep(RARE_MS)
  }

  async #makeEndpoint(): Promise<void> {
    const payload = { url: `${this.#receiver}/quiet`, events: ['config.update'] }
    const made = await this.#ask('POST endpoint', 201, 'POST', `${API}/webhooks`, this.#proof, payload)
    if (made !== null) this.#ledger.keep('endpoint', String((made.body.endpoint as { id: string }).id))
    await sleep(RARE_MS)
  }

  async #ring(): Promise<void> {
    await this.#ask('ring', 200, 'POST', '/ring', {}, {})
    await sleep(RARE_MS)
  }

  /** A socket that stays open as long as it may, and asks a route as its person. */
  async #talk(person: string): Promise<void> {
    const socket = await this.#openSocket(person)
    if (socket === null) return
    try {
      while (this.#running) {
        const { result, error } = await socket.call('api.request', { method: 'GET', path: '/api/who' })
        const { status = error?.code ?? 0, body = {} } = (result ?? error?.data ?? {}) as Partial<Reply>
        this.#ledger.answered('frame', status)
        if (status === 200 && body.who !== person) this.#ledger.violate(`frame: ${person} became ${body.who}`)
        await sleep(this.#pauseMs)
      }
    } catch {
      // It was closed: the next one is opened.
      this.#ledger.answered('frame', 'none')
    } finally {
      socket.client.close()
    }
  }

  async #openSocket(person: string): Promise<RpcSocket | null> {
    const { lives, running, port } = this.#subject
    const headers = { cookie: this.session(person), origin: `http://127.0.0.1:${port}` }
    try {
      const opened = await SocketClient.open(port, '/svc/realtime', headers)
      this.#ledger.answered('handshake', typeof opened === 'number' ? opened : 101)
      if (typeof opened !== 'number') return new RpcSocket(opened)
      if (opened !== UNAVAILABLE) this.#ledger.violate(`handshake: ${opened} instead of 101`)
    } catch (error) {
      this.#ledger.answered('handshake', 'none')
      if (running && this.#subject.running && lives === this.#subject.lives) {
        this.#ledger.violate(`handshake: no answer (${(error as Error).message})`)
      }
    }
    return null
  }
}

/** One request on a connection of its own. */
export async function exchange(
  port: number,
  method: string,
  path: string,
  headers: Headers = {},
  payload?: unknown
): Promise<Reply> {
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const sent = body === '' ? headers : { 'content-type': 'application/json', ...headers }
  const answer = await rawExchange(port, rawRequest(method, path, sent, body))
  const [cookie = ''] = (answer.headers['set-cookie'] ?? '').split(';')
  const parsed = answer.body.startsWith('{') ? (JSON.parse(answer.body) as Reply['body']) : {}
  return { status: answer.status, body: parsed, cookie }
}

/** Answers that need nothing but what is stored already. */
const READS: ReadonlySet<string> = new Set([
  ...['session on /visit', 'session on /member', 'jwt', 'apikey', 'GET note', 'GET csrf']
])
