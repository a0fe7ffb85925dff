/** Errors of the console. Codes are listed in docs/reference/errors.md. */
import { createError } from '@fastify/error'

/** thrown: the files of the console are not beside the plugin. Fix: in a checkout `npm run build`; else install it anew. */
export const ConsoleNotBuilt = createError<[folder: string]>(
  'SVC_CONSOLE_NOT_BUILT',
  'the files of the console are not in %s',
  500,
  TypeError
)
