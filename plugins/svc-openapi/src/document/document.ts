/** The parts of an OpenAPI 3.1 document that the description reads and completes. */
import type { ApiChannel, RouteError } from 'svc-kernel/plugin'
import type { SocketRoute } from './socket-route.ts'

/** One operation of the document; `x-guard` has what its guard asks for. */
export interface Operation {
  operationId?: string
  security?: readonly object[]
  tags?: readonly string[]
  parameters?: readonly unknown[]
  requestBody?: unknown
  responses?: Record<string, { description?: string; [key: string]: unknown }>
  'x-guard'?: string | undefined
  /** Of the route and its hooks; the finished document says them by status. */
  'x-errors'?: readonly Required<RouteError>[]
}

/** An OpenAPI 3.1 document, with the extensions of svc. */
export interface Document {
  openapi: string
  info?: { title?: string; description?: string; version?: string }
  servers?: readonly { url: string; description?: string; variables?: object }[]
  paths?: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, object>
    responses?: Record<string, object>
    parameters?: Record<string, object>
    securitySchemes?: Record<string, object>
  }
  tags?: Array<{ name: string; description?: string }>
  webhooks?: Record<string, object>
  'x-websocket-routes'?: readonly SocketRoute[]
  [extension: `x-${string}`]: unknown
}

/** What both descriptions are made of: OpenAPI has no place for channels. */
export interface WholeDocument extends Document {
  'x-channels'?: readonly ApiChannel[]
}
