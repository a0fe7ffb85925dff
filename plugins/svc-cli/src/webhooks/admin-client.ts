/** The admin API of a running server, as the command asks it: with an API key, one question at a time, and no redirect followed. */
import { apiKey, serverUrl } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { OutputOptions } from '../options.ts'

export interface ServerOptions extends OutputOptions {
  /** Origin of the server. */
  url?: string
  /** An API key of an administrator. */
  key?: string
  json?: true
}

const DEFAULT_URL = 'http://127.0.0.1:5151'
const API = '/svc/security/api/webhooks'
const DEADLINE_MS = 30_000

export type Method = 'GET' | 'POST' | 'DELETE'

export class AdminClient {
  readonly #base: string
  readonly #key: string

  /** @throws CommandError SVC_HOOKS_KEY, SVC_HOOKS_URL */
  constructor(options: ServerOptions) {
    this.#base = originOf(options.url ?? serverUrl() ?? DEFAULT_URL)
    this.#key = keyOf(options.key ?? apiKey())
  }

  get origin(): string {
    return this.#base
  }

  /** @param path below the API of webhooks @throws CommandError SVC_HOOKS_UNREACHABLE, SVC_HOOKS_REFUSED */
  async ask<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
    let answer: Response
    try {
      answer = await fetch(`${this.#base}${API}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    } catch (error) {
      throw new CommandError(
        {
          code: 'SVC_HOOKS_UNREACHABLE',
          message: `the server does not answer: ${causeOf(error)}`,
          at: this.#base,
          expected: 'a running server',
          fix: 'start it, or name another one with --url'
        },
        1,
        { cause: error }
      )
    }
    const text = await answer.text()
    const read = parsed(text)
    if (answer.ok && read !== null) return read as Answer
    throw refusal(this.#base, answer.status, read)
  }
}

function refusal(at: string, status: number, body: { code?: unknown; message?: unknown } | null): CommandError {
  const code = typeof body?.code === 'string' ? body.code : 'no code'
  const said = typeof body?.message === 'string' ? body.message : 'its answer is not from the admin API'
  return new CommandError({
    code: 'SVC_HOOKS_REFUSED',
    message: `the server refused: ${said}`,
    at,
    got: `${status} ${code}`,
    fix: FIXES.get(status) ?? 'npx svc docs webhooks'
  })
}

const FIXES: ReadonlyMap<number, string> = new Map([
  [401, 'give a valid API key: --key, or SVC_API_KEY'],
  [403, 'give an API key with the scope svc:admin, whose user has ROLE_SVC_ADMIN'],
  [404, 'npx svc webhooks list shows the endpoints; svc-webhooks must be registered there'],
  [503, 'see the log of the server; recover needs the option history of svc-webhooks']
])

function originOf(url: string): string {
  const { origin = 'null', protocol } = URL.parse(url) ?? {}
  if (protocol === 'http:' || protocol === 'https:') return origin
  throw new CommandError(
    {
      code: 'SVC_HOOKS_URL',
      message: 'this is not the address of a server',
      at: '--url',
      expected: 'http:// or https://, host and port',
      fix: `--url ${DEFAULT_URL}`
    },
    2
  )
}

function keyOf(key: string | undefined): string {
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key
  throw new CommandError(
    {
      code: 'SVC_HOOKS_KEY',
      message: key === undefined ? 'no API key was given' : 'the API key is not valid',
      at: 'SVC_API_KEY',
      expected: 'an API key of an administrator',
      fix: 'export SVC_API_KEY=<key>; process lists show --key <key>'
    },
    2
  )
}

function parsed(text: string): { code?: unknown; message?: unknown } | null {
  try {
    return JSON.parse(text) as { code?: unknown } | null
  } catch {
    return null
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
