/** Errors of the API description. Codes are listed in docs/reference/errors.md. */
import { createError } from '@fastify/error'

/** The routes cannot be put into one document: two schemas of one name, or a reference that leads nowhere. */
export const DescriptionFailed = createError(
  'SVC_OPENAPI_FAILED',
  'the API description cannot be generated; the log has the cause',
  500
)
