/**
 * The one error body of every transport: Fastify's own shape with a stable
 * code. Pure: HTTP answers, WebSocket error frames and tests all read it here.
 */
import { STATUS_CODES } from 'node:http'

/** One violation of a schema: a JSON pointer into the body (or query, params) and a sentence. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

export interface ErrorBody {
  readonly statusCode: number
  readonly code: string
  readonly error: string
  readonly message: string
  readonly details?: readonly ErrorDetail[]
}

interface ValidationItem {
  readonly instancePath?: string
  readonly message?: string
  readonly params?: { readonly missingProperty?: string; readonly additionalProperty?: string }
}

interface ThrownError {
  readonly statusCode?: number
  readonly status?: number
  readonly code?: string
  readonly message?: string
  readonly validation?: readonly ValidationItem[]
  readonly validationContext?: string
  readonly expose?: boolean
}

/**
 * @param thrown whatever was thrown
 * @param production hides the message of every 5xx that does not ask to be shown (`expose: true`)
 */
export function errorBody(thrown: unknown, production: boolean): ErrorBody {
  const error: ThrownError = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const statusCode = statusOf(error)
  const name = STATUS_CODES[statusCode] ?? 'Error'
  if (Array.isArray(error.validation)) {
    const context = error.validationContext ?? 'input'
    const details = (error.validation as ValidationItem[]).map(detail)
    return {
      statusCode,
      code: 'SVC_HTTP_VALIDATION',
      error: name,
      message: `the ${context} is not valid`,
      details
    }
  }
  const opaque = statusCode >= 500 && production && error.expose !== true
  return {
    statusCode,
    code: !opaque && typeof error.code === 'string' ? error.code : defaultCode(statusCode),
    error: name,
    message: opaque ? 'internal error' : error.message || name
  }
}

function statusOf(error: ThrownError): number {
  const status = error.statusCode ?? error.status
  if (Array.isArray(error.validation)) return typeof status === 'number' && status >= 400 && status < 500 ? status : 400
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
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
