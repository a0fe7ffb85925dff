/** Finds the application a command works on, or says where the nearest one is: its folder, its entry file, its export. It never guesses. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Application } from 'svc-host'
import type { Problem } from 'svc-kernel'
import { CommandError } from '../errors.ts'

export const CONFIG_FILES = ['svc.config.ts', 'svc.config.js'] as const

/** Commands that are scripts of an application; the others are called with npx. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'svc dev': 'npm run dev',
  'svc build': 'npm run build',
  'svc start': 'npm start'
}

/** How a command is typed in the folder of an application. */
export function scriptOf(command: string): string {
  return SCRIPTS[command] ?? `npx ${command}`
}

/**
 * @param given the `--root` option
 * @param command as it is typed where svc is installed, such as `svc routes`; for the fix
 * @throws CommandError SVC_NO_CONFIG when the folder is not an application
 */
export function findRoot(given: string | undefined, command: string, cwd: string = process.cwd()): string {
  const folder = resolve(cwd, given ?? '.')
  if (isApplication(folder)) return folder
  throw new CommandError(noConfig(folder, cwd, command))
}

/** A package with a config file; where it is deployed without sources, the compiled one counts. */
export function isApplication(folder: string): boolean {
  const configs = [...CONFIG_FILES, 'dist/svc.config.js']
  return configs.some((name) => existsSync(join(folder, name))) && existsSync(join(folder, 'package.json'))
}

function noConfig(folder: string, cwd: string, command: string): Problem {
  const missing = {
    code: 'SVC_NO_CONFIG',
    at: folder,
    expected: CONFIG_FILES[0],
    more: 'npx svc docs startup-problems'
  }
  const above = levelsUp(folder)
  const found = above === null ? childApplication(folder) : resolve(folder, '../'.repeat(above))
  if (found === null) {
    return {
      ...missing,
      message: `no svc config file in ${folder}: this is not an application folder`,
      fix: 'npx svc create app NAME'
    }
  }
  const path = relative(cwd, found) || '.'
  const where = above === null ? `one folder down, in ${path}` : `${above} level${above === 1 ? '' : 's'} up`
  return {
    ...missing,
    message: `no svc config file in ${folder}; found one ${where}`,
    fix: `cd ${path} && ${scriptOf(command)} (or npx ${command} --root ${path})`
  }
}

function levelsUp(folder: string): number | null {
  let level = 1
  for (let current = dirname(folder); ; current = dirname(current), level += 1) {
    if (isApplication(current)) return level
    if (dirname(current) === current) return null
  }
}

/** The usual slip after creating an application: the `cd` into it was forgotten. */
function childApplication(folder: string): string | null {
  try {
    const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const found = children.map((entry) => join(folder, entry.name)).filter(isApplication)
    return found.length === 1 ? (found[0] ?? null) : null
  } catch {
    return null
  }
}

/** The config file of an application, absolute; `undefined` where only its build is there. */
export function configOf(root: string): string | undefined {
  return CONFIG_FILES.map((name) => join(root, name)).find((file) => existsSync(file))
}

/**
 * The entry file of an application.
 *
 * @throws CommandError SVC_NO_ENTRY
 */
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
 * The application behind an entry file.
 *
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
