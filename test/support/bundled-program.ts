/**
 * A program of the tests in few files, as packages are published: a campaign starts it dozens of times, and most of a start
 * is finding a thousand modules. What modules say of their own place stays true.
 */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { madeOnce } from './made-once.ts'
import { repository } from './svc-command.ts'

/** Written in small modules; the dependencies that are CommonJS stay imports. */
const INSIDE = /^(?:[./]|svc-|kysely)/

/** @returns the path of the program in the place of this one */
export async function bundledProgram(program: string): Promise<string> {
  const name = program.slice(repository.length).replaceAll(/\W+/g, '-')
  const folder = await madeOnce(`program${name}`, async (made) => {
    const bundle = await rolldown({
      input: { program },
      platform: 'node',
      tsconfig: false,
      external: (id) => !INSIDE.test(id),
      plugins: [{ name: 'own-places', transform: (code, id) => withOwnPlaces(code, id, id === program) }]
    })
    symlinkSync(join(repository, 'node_modules'), join(made, 'node_modules'))
    await bundle.write({ dir: made, format: 'esm', keepNames: true })
    await bundle.close()
  })
  return join(folder, 'program.js')
}

/** @param isProgram keeps its file name, which it compares with that of the process */
function withOwnPlaces(code: string, id: string, isProgram: boolean): string | null {
  if (!code.includes('import.meta.')) return null
  const placed = code.replaceAll('import.meta.url', JSON.stringify(String(pathToFileURL(id))))
  return isProgram ? placed : placed.replaceAll('import.meta.filename', JSON.stringify(id))
}
