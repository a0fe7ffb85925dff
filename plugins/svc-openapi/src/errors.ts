/** Errors of the API description. Codes are listed in docs/reference/errors.md. */
import { createError } from '@fastify/error'

/**
 * 500: the schemas of the routes cannot be combined into one OpenAPI document. Fix: read the cause in the log: two
 * schemas with the same `$id`, or a `$ref` without a target.
 */
export const DescriptionFailed = createError(
  'SVC_OPENAPI_FAILED',
  'the API description cannot be generated; the log has the cause',
  500
)
