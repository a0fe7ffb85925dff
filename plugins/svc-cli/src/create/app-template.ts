/**
 * The application template as fastify-cli's `generate` takes it, so that both
 * lay down the same files: `generate(folder, appTemplate())`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { linkPackages, shippedFolder } from '../application/package-links.ts'
import { cleanAppName } from './app-name.ts'

interface LaidDown {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The argument of fastify-cli's `generate`. */
export interface AppTemplate {
  /** Folder of the files, relative to fastify-cli's own templates. */
  readonly dir: string
  readonly main: string
  readonly type: 'module'
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Called last, in the folder: names the application for it. */
  logInstructions(packageJson: LaidDown): void
}

export const TEMPLATE_FOLDER: string = shippedFolder('app-template')

/** @param fastifyCli folder of the fastify-cli that lays it down. Default: the one that svc-cli brings */
export function appTemplate(fastifyCli: string = ownFastifyCli()): AppTemplate {
  const { main, scripts, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(TEMPLATE_FOLDER, 'package.json'), 'utf8')
  ) as Omit<AppTemplate, 'dir'>
  return Object.freeze({
    dir: relative(join(fastifyCli, 'templates'), TEMPLATE_FOLDER),
    main,
    type: 'module',
    scripts,
    dependencies,
    devDependencies,
    logInstructions: finish
  })
}

function ownFastifyCli(): string {
  return dirname(createRequire(import.meta.url).resolve('fastify-cli/package.json'))
}

/** `generate` keeps the name that the template has, and knows no packages of a checkout. */
function finish(packageJson: LaidDown): void {
  const folder = process.cwd()
  const { dependencies = {} } = packageJson
  const name = cleanAppName(basename(folder), Object.keys(dependencies))
  const finished = { ...packageJson, name, dependencies: linkPackages(dependencies, folder) }
  writeFileSync('package.json', `${JSON.stringify(finished, null, 2)}\n`)
  writeFileSync('README.md', readFileSync('README.md', 'utf8').replace(/^# .*/, `# ${name}`))
}
