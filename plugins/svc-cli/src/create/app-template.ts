/**
 * The application template as fastify-cli's `generate` takes it, so that both
 * lay down the same files: `generate(folder, appTemplate())`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { shippedFolder } from '../application/package-links.ts'

/** The argument of fastify-cli's `generate`. */
export interface AppTemplate {
  /** Folder of the files, relative to fastify-cli's own templates. */
  readonly dir: string
  readonly main: string
  readonly type: 'module'
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  logInstructions(packageJson: { name: string }): void
}

export const TEMPLATE_FOLDER: string = shippedFolder('app-template')

/** The name the template carries until an application's own takes its place. */
export const TEMPLATE_NAME = 'svc-app'

export function appTemplate(): AppTemplate {
  const fastifyCli = dirname(createRequire(import.meta.url).resolve('fastify-cli/package.json'))
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
    logInstructions: () => undefined
  })
}
