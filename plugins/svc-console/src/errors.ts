/** Errors of the console. Codes are listed in docs/reference/errors.md. */
import { createError } from '@fastify/error'

/**
 * thrown: the files of the console are missing from the package. Fix: `npm run build` in a checkout; otherwise
 * reinstall svc-console.
 */
export const ConsoleNotBuilt = createError<[folder: string]>(
  'SVC_CONSOLE_NOT_BUILT',
  'the files of the console are not in %s',
  500,
  TypeError
)
