/**
 * An import of a package that is not there, as a problem: the line of the import,
 * the name that was probably meant, and the command that installs it. Node itself
 * says neither, and its error is the first result of a typo in `svc.config.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearestName } from './nearest-name.ts'
import { readablePath } from './place-of.ts'
import type { Problem } from './problem.ts'

/** The folder that holds the svc packages: `plugins` in a checkout, `node_modules` elsewhere. */
const HOUSE = fileURLToPath(new URL('../../../../', import.meta.url))
const NOT_FOUND = /^Cannot find (?:module|package) '([^'./][^']*)' imported from '?(.+?)'?$/m

/** @returns `null` for any other failure, also of an import by path */
export function missingPackage(thrown: unknown): Problem | null {
  const { code, message = '' } = (thrown ?? {}) as { code?: unknown; message?: string }
  const [, specifier, file] = NOT_FOUND.exec(String(message)) ?? []
  if (code !== 'ERR_MODULE_NOT_FOUND' || specifier === undefined || file === undefined) return null
  if (/^(?:file|node|data):/.test(specifier)) return null
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  const importer = file.startsWith('file://') ? fileURLToPath(file) : file
  const installed = installedFor(dirname(importer))
  const near = nearestName(name, [...installed, ...namesIn(HOUSE)].sort())
  return {
    code: 'SVC_NOT_INSTALLED',
    message: `the package ${name} is not installed${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at: `${readablePath(importer)}${lineOf(importer, specifier)}`,
    got: `'${specifier}'`,
    expected: 'the name of an installed package',
    // A misspelt name is never proposed for an install: it may be another author's package.
    fix: fixOf(name, near, near !== undefined && installed.has(near)),
    more: 'npx svc docs startup-problems'
  }
}

function fixOf(name: string, near: string | undefined, isInstalled: boolean): string {
  if (near === undefined) return `npm install ${name}`
  return isInstalled ? `write '${near}'` : `write '${near}', and npm install ${near}`
}

/** Names of the packages that a file in this folder can import. */
function installedFor(folder: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (let current = folder; ; current = dirname(current)) {
    for (const name of namesIn(join(current, 'node_modules'))) names.add(name)
    if (dirname(current) === current) return names
  }
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((own) => `${name}/${own}`) : name))
}

/** `:12`, where the text of the file shows the import. */
function lineOf(file: string, specifier: string): string {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    // Node names only the package where the import names a file in it.
    const imports = [`'${specifier}'`, `'${specifier}/`, `"${specifier}"`, `"${specifier}/`]
    const index = lines.findIndex((line) => imports.some((text) => line.includes(text)))
    return index === -1 ? '' : `:${index + 1}`
  } catch {
    return ''
  }
}
