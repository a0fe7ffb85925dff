/**
 * Runs fastify-cli's `generate` on our template. Its own process, as
 * `generate` changes the working directory, prints, and runs `npm init`.
 *
 * Arguments: the folder to lay the files down in.
 */
import { createRequire } from 'node:module'
import { type AppTemplate, appTemplate } from './app-template.ts'

interface FastifyCli {
  generate(folder: string, template: AppTemplate): Promise<void>
}

const { generate } = createRequire(import.meta.url)('fastify-cli/generate.js') as FastifyCli
const [folder = ''] = process.argv.slice(2)

await generate(folder, appTemplate())
