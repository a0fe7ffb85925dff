/**
 * The one error body of every transport: Fastify's own shape with a stable code, and the id of the current trace. HTTP
 * answers, WebSocket error frames and tests all read it here.
 */
import type { FastifyServerOptions } from 'fastify'
import { currentTraceId } from '../context/request-context.ts'

// Importing node:http as a module reads all its exports, and one of them loads undici: 25 ms and 3 MB at boot.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** One violation of a schema: a JSON pointer into the body (or query, params) and a sentence. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** The body of an error answer: `statusCode` 400 to 599, a stable `code`, the status's own name, one sentence. */
export interface ErrorBody {
  readonly statusCode: number
  readonly code: string
  readonly error: string
  readonly message: string
  readonly details?: readonly ErrorDetail[]
  /** Beside a 409: what is in the way, as the caller may see it. */
  readonly current?: Readonly<Record<string, unknown>>
  /** Beside `SVC_SEC_PROOF_DUE` and `SVC_SEC_STEP_UP`: how old a proof may be, in seconds. */
  readonly maxAge?: number
  /** Beside the same: what the caller is to prove, one of `totp` and `passkey`; absent: a password or any factor. */
  readonly factors?: readonly string[]
  /** Of the trace that the request belongs to; absent without one. 32 hexadecimal digits. */
  readonly traceId?: string
}

/** An answer lists no more faults than a reader takes in; a caller could make it larger than the request. */
export const MAX_DETAILS = 20

interface ValidationItem {
  readonly instancePath?: string
  readonly message?: string
  readonly params?: { readonly missingProperty?: string; readonly additionalProperty?: string }
}

interface ThrownError {
  readonly statusCode?: unknown
  readonly status?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly details?: unknown
  readonly current?: unknown
  readonly maxAge?: unknown
  readonly factors?: unknown
  readonly validation?: readonly ValidationItem[]
  readonly validationContext?: string
  /** Faults beside those of `validation`. */
  readonly unlisted?: unknown
  readonly expose?: unknown
  readonly [FORMATTED]?: boolean
}

/** On the error that a `schemaErrorFormatter` made. */
const FORMATTED = Symbol.for('svc.formatted-error')

/** Fastify's name for an error to which its formatter gave none. */
const UNNAMED = 'FST_ERR_VALIDATION'

type SchemaErrorFormatter = NonNullable<FastifyServerOptions['schemaErrorFormatter']>

/** The same formatter; what it makes of faults is told from the text that Fastify makes of them. */
export function markFormatted(format: SchemaErrorFormatter): SchemaErrorFormatter {
  // Fastify refuses what is no synchronous function, and names what it got.
  if (Object.prototype.toString.call(format) !== '[object Function]') return format
  return function formatAndMark(this: unknown, ...faults) {
    return Object.assign(format.apply(this as never, faults), { [FORMATTED]: true })
  }
}

/**
 * Never throws, whatever was thrown.
 *
 * @param production hides the message of every 5xx that does not ask to be shown (`expose: true`),
 * and its code unless it is one of ours: those are stable, published and reveal nothing internal
 * @param fallbackStatus for what carries no status of its own
 */
export function errorBody(thrown: unknown, production: boolean, fallbackStatus = 500): ErrorBody {
  const body = untracedBody(thrown, production, fallbackStatus)
  const traceId = currentTraceId()
  return traceId === null ? body : { ...body, traceId }
}

function untracedBody(thrown: unknown, production: boolean, fallbackStatus: number): ErrorBody {
  try {
    const error: ThrownError = typeof thrown === 'object' && thrown !== null ? thrown : {}
    return Array.isArray(error.validation) ? invalidBody(error) : plainBody(error, production, fallbackStatus)
  } catch {
    // An error object whose getters throw says nothing that could be passed on.
    return plainBody({}, production, 500)
  }
}

function plainBody(error: ThrownError, production: boolean, fallbackStatus: number): ErrorBody {
  const statusCode = errorStatus(error.statusCode) ?? errorStatus(error.status) ?? fallbackStatus
  const name = STATUS_CODES[statusCode] ?? 'Error'
  const opaque = statusCode >= 500 && production && error.expose !== true
  const details = opaque ? [] : ownDetails(error.details)
  const code = isShown(error.code, opaque) ? error.code : defaultCode(statusCode)
  const message = opaque ? 'internal error' : typeof error.message === 'string' && error.message ? error.message : name
  const body: ErrorBody = { statusCode, code, error: name, message }
  if (STEP_UPS.has(code)) return { ...body, ...askedProof(error) }
  const current = code === 'SVC_HTTP_CHANGED' ? error.current : undefined
  if (typeof current === 'object' && current !== null) return { ...body, current: current as Record<string, unknown> }
  return details.length === 0 ? body : { ...body, details }
}

/** Of `ProofDue` and `StepUpRequired`, of which this file would import a circle. */
const STEP_UPS: ReadonlySet<string> = new Set(['SVC_SEC_PROOF_DUE', 'SVC_SEC_STEP_UP'])

function askedProof({ maxAge, factors }: ThrownError): Pick<ErrorBody, 'maxAge' | 'factors'> {
  const named = Array.isArray(factors) && factors.every((factor) => typeof factor === 'string')
  return { ...(typeof maxAge === 'number' ? { maxAge } : {}), ...(named ? { factors: factors as string[] } : {}) }
}

/** Details that an error brings along in the form of the body, such as the fields of a unique violation. */
function ownDetails(given: unknown): readonly ErrorDetail[] {
  if (given === undefined) return []
  const isDetail = (each: unknown): each is ErrorDetail => {
    const { path, message } = (each ?? {}) as Partial<Record<keyof ErrorDetail, unknown>>
    return typeof path === 'string' && typeof message === 'string'
  }
  const details: unknown[] = Array.isArray(given) ? given.slice(0, MAX_DETAILS) : []
  return details.every(isDetail) ? details.map(({ path, message }) => ({ path, message })) : []
}

function isShown(code: unknown, opaque: boolean): code is string {
  return typeof code === 'string' && (!opaque || code.startsWith('SVC_'))
}

function invalidBody(error: ThrownError): ErrorBody {
  const given = errorStatus(error.statusCode) ?? 400
  const statusCode = given < 500 ? given : 400
  const faults = error.validation ?? []
  const unlisted = Math.max(0, faults.length - MAX_DETAILS) + (typeof error.unlisted === 'number' ? error.unlisted : 0)
  const invalid = {
    statusCode,
    code: 'SVC_HTTP_VALIDATION',
    error: STATUS_CODES[statusCode] ?? 'Error',
    message: `the ${error.validationContext ?? 'input'} is not valid${unlisted > 0 ? `; ${unlisted} more faults are not listed` : ''}`,
    details: faults.slice(0, MAX_DETAILS).map(detail)
  }
  return error[FORMATTED] === true ? formattedBody(error, invalid) : invalid
}

/** As in Fastify, what a `schemaErrorFormatter` gives is the answer; the rest is filled in. */
function formattedBody({ code, message, details: given }: ThrownError, invalid: ErrorBody): ErrorBody {
  const details = ownDetails(given)
  return {
    ...invalid,
    ...(isOwnCode(code) ? { code } : {}),
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    ...(details.length > 0 ? { details } : {})
  }
}

function isOwnCode(code: unknown): code is string {
  return typeof code === 'string' && code !== UNNAMED
}

function errorStatus(status: unknown): number | undefined {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}

function defaultCode(statusCode: number): string {
  return statusCode >= 500 ? 'SVC_HTTP_INTERNAL' : `SVC_HTTP_${statusCode}`
}

/** A missing or surplus key is named by its own path, as a person would point at it. */
function detail({ instancePath = '', message = 'is not valid', params }: ValidationItem): ErrorDetail {
  if (params?.missingProperty !== undefined) {
    return { path: `${instancePath}/${params.missingProperty}`, message: 'is required' }
  }
  if (params?.additionalProperty !== undefined) {
    return { path: `${instancePath}/${params.additionalProperty}`, message: 'is not a known key' }
  }
  return { path: instancePath || '/', message }
}
