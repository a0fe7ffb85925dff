/** Bodies of requests and answers: what is sent as it is, what is JSON, and how an answer is read. */
import { CallError } from '../errors.ts'
import { errorOf } from './call-failures.ts'

/** A body as `fetch` takes it, with the type that it does not say itself. */
export interface Content {
  readonly body: NonNullable<RequestInit['body']> | undefined
  readonly type: string | undefined
  /** Whether it can be sent a second time. */
  readonly again: boolean
}

/** @param typed the caller says the type: text is sent as it is */
export function contentOf(given: unknown, typed: boolean): Content {
  if (given === undefined) return { body: undefined, type: undefined, again: true }
  const bytes = given instanceof ArrayBuffer || ArrayBuffer.isView(given)
  const whole = bytes || given instanceof Blob
  const form = given instanceof FormData || given instanceof URLSearchParams
  const stream = given instanceof ReadableStream
  if (!whole && !form && !stream && !(typed && typeof given === 'string')) {
    return { body: JSON.stringify(given), type: 'application/json', again: true }
  }
  const type = form || (given instanceof Blob && given.type !== '') ? undefined : 'application/octet-stream'
  return { body: given as NonNullable<RequestInit['body']>, type, again: !stream }
}

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/

/** @param raw the response itself is wanted @throws CallError for a status from 400 on, and for JSON that is none */
export async function readAnswer(response: Response, raw: boolean): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok) {
    const text = await response.text()
    const body = JSON_TYPE.test(type) ? parsed(text) : undefined
    throw errorOf(response.status, body, response.headers.get('retry-after'))
  }
  if (raw) return response
  if (response.status === 204 || response.status === 205) return undefined
  if (JSON_TYPE.test(type)) return whole(response)
  if (/^text\/(?!event-stream)/.test(type)) return response.text()
  // An empty answer has no type.
  return type === '' && response.headers.get('content-length') === '0' ? undefined : response.body
}

async function whole(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const value = parsed(text)
  if (value === undefined) throw new CallError('SVC_CLIENT_ANSWER', 'the answer is not valid JSON', response.status)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
