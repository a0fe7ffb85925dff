/**
 * Calls of the admin APIs with the session of the browser. A change carries the CSRF token; an answer 401 asks for a new
 * sign-in and then repeats the call, which the server had refused before it did anything. A change is made by the user
 * whose page this is, or not at all: the token comes with the name of the user of its session, and serves no other session.
 */
import type { Me } from 'svc-security/wire'
import { noteUnavailable } from './outage.ts'
import { settings } from './settings.ts'

export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly details?: ErrorDetail[]
  readonly current?: unknown
  readonly factors?: string[]
}

/** An answer that is no success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly ErrorDetail[]
  /** Seconds, from `Retry-After`. */
  readonly retryAfter: number | null
  /** As the log has it. */
  readonly requestId: string | null
  /** The request can be looked at. */
  readonly isRecorded: boolean
  /** Of a refusal for want of proof: the factors that are asked for; none where a password does. */
  readonly factors: readonly string[]
  /** Of a change whose version is no longer that of the thing: how it is now. */
  readonly current: unknown

  constructor(status: number, body: ErrorBody, headers: Headers = new Headers()) {
    super(body.message ?? `the server answered ${status}`)
    this.status = status
    this.code = body.code ?? `HTTP_${status}`
    this.details = body.details ?? []
    this.current = body.current ?? null
    this.factors = body.factors ?? []
    const retryAfter = headers.get('retry-after')
    this.retryAfter = retryAfter === null || Number.isNaN(Number(retryAfter)) ? null : Number(retryAfter)
    this.requestId = headers.get('x-request-id')
    this.isRecorded = headers.get('link')?.includes('rel="describedby"') === true
  }
}

export const SECURITY_API = '/svc/security/api'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What becomes of a page whose session has ended. Absent on the sign-in page. */
export interface SessionEnd {
  /** Resolves when the same user is signed in again; rejects when another is. */
  ask(): Promise<void>
  /** Resolves when the user has proven once more who they are; rejects where they leave it. */
  prove(factors: readonly string[]): Promise<void>
  /** The browser holds the session of another user than this page. */
  replaced(identifier: string): void
}

let sessionEnd: SessionEnd | null = null

export function onSessionEnd(end: SessionEnd): void {
  sessionEnd = end
}

export function otherUser(identifier: string): ApiError {
  const message = `${identifier} is signed in now, and the change was begun by ${settings.user?.identifier}: it was not sent`
  return new ApiError(0, { code: 'OTHER_USER', message })
}

let csrfToken: Promise<string | null> | null = null

/** `null` where the caller has no session, and so needs no token. @throws ApiError */
async function readToken(): Promise<string | null> {
  const answer = await ask(`${SECURITY_API}/auth/me`, { headers: { accept: 'application/json' } })
  if (answer.status === 401) return null
  const { user, csrfToken: token } = await read<Me>(answer)
  if (user.identifier === settings.user?.identifier) return token
  sessionEnd?.replaced(user.identifier)
  throw otherUser(user.identifier)
}

/** With another session comes another token. */
export function forgetToken(): void {
  csrfToken = null
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  withToken: boolean,
  seen: number | null
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (seen !== null) headers['if-match'] = `"${seen}"`
  if (withToken && method !== 'GET') {
    csrfToken ??= readToken()
    // A token that could not be read is asked for again by the next change.
    csrfToken.catch(forgetToken)
    const token = await csrfToken
    if (token !== null) headers['x-csrf-token'] = token
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return ask(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

/** @throws ApiError where there is no answer */
async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new ApiError(0, { code: 'NO_ANSWER', message: 'the server does not answer' })
  }
}

/**
 * @param path absolute
 * @param seen version that a change was made from: of what has changed since, `ApiError` has `current`
 * @returns the body; `null` without one
 * @throws ApiError
 */
export async function call<T>(method: Method, path: string, body?: unknown, seen: number | null = null): Promise<T> {
  try {
    return await read(await send(method, path, body, true, seen))
  } catch (error) {
    if (sessionEnd === null || !(error instanceof ApiError)) throw error
    if (error.code === 'SVC_SEC_PROOF_DUE') await sessionEnd.prove(error.factors)
    // A password or a code that was asked for does not hold; the session does.
    else if (error.status === 401 && error.code !== 'SVC_SEC_CREDENTIALS') {
      forgetToken()
      // A call that was under way when a proof changed the cookie came with the one of before.
      if ((await readToken()) === null) await sessionEnd.ask()
    } else throw error
    return read(await send(method, path, body, true, seen))
  }
}

/** Of a change that was refused as it was made from another version: how the thing is now; else `null`. */
export function currentOf<T>(error: unknown): T | null {
  return error instanceof ApiError && error.code === 'SVC_HTTP_CHANGED' ? (error.current as T | null) : null
}

/** Without a token, and with 401 as an answer like any other: for the steps of a sign-in. @throws ApiError */
export async function callSignedOut<T>(path: string, body?: unknown): Promise<T> {
  return read(await send('POST', path, body, false, null))
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  if (answer.ok) return (text === '' ? null : JSON.parse(text)) as T
  if (answer.status === 403) forgetToken()
  if (answer.status === 503) noteUnavailable()
  throw new ApiError(answer.status, readBody(text), answer.headers)
}

function readBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}

/** A path with its query; what is empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const kept = Object.entries(query).filter(([, value]) => value != null && value !== '')
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept.map(([name, value]) => [name, String(value)]))}`
}
