/** The parts of an OpenAPI 3.1 document that the description reads and completes. */

export interface Operation {
  operationId?: string
  security?: readonly object[]
  parameters?: readonly unknown[]
  requestBody?: unknown
  responses?: Record<string, { description?: string; [key: string]: unknown }>
  'x-guard'?: string
}

export interface Document {
  openapi: string
  paths?: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, object>
    responses?: Record<string, object>
    securitySchemes?: Record<string, object>
  }
  tags?: Array<{ name: string; description?: string }>
  webhooks?: Record<string, object>
  [extension: `x-${string}`]: unknown
}
