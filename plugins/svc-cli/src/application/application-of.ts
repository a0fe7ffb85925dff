/** The application behind an entry file: what its default export must be. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Application } from 'svc-host'
import { CommandError } from '../errors.ts'

/** @throws CommandError SVC_NO_ENTRY */
export function entryOf(root: string): string {
  const path = ['app.ts', 'app.js'].map((name) => join(root, name)).find((file) => existsSync(file))
  if (path !== undefined) return path
  throw new CommandError({
    code: 'SVC_NO_ENTRY',
    message: 'the application has no entry file',
    at: root,
    expected: 'app.ts',
    fix: 'its default export is application(config, import.meta.url)'
  })
}

/**
 * @param file the entry, for the message
 * @throws CommandError SVC_NO_ENTRY when the default export is not what `application()` returns
 */
export function applicationOf(entry: Record<string, unknown>, file: string): Application {
  const app = entry.default as Application | undefined
  if (typeof app === 'function' && app.config !== undefined && app.root !== undefined) return app
  throw new CommandError({
    code: 'SVC_NO_ENTRY',
    message: 'the entry does not export an application',
    at: file,
    got: app === undefined ? 'no default export' : typeof app,
    fix: 'export default application(config, import.meta.url)'
  })
}
