/** Applications as the command makes them, each made once in a run of the tests and copied by every test. */
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { madeOnce } from './made-once.ts'
import { repository, svc } from './svc-command.ts'

/**
 * Lays `svc create app shop` down in a folder that is not there yet, with the repository's packages in place of an install.
 *
 * @param preset its name, and flags that follow it: `full --database documents`
 */
export async function copyCreatedApp(folder: string, preset: string): Promise<void> {
  const original = await madeOnce(`created-${preset.replaceAll(' ', '')}`, (parent) =>
    succeeds(['create', 'app', 'shop', '--preset', ...preset.split(' ')], parent)
  )
  await copy(join(original, 'shop'), folder)
}

/** As `copyCreatedApp`, and built. */
export async function copyBuiltApp(folder: string, preset: string): Promise<void> {
  const original = await madeOnce(`built-${preset.replaceAll(' ', '')}`, async (parent) => {
    await copyCreatedApp(join(parent, 'shop'), preset)
    await succeeds(['build'], join(parent, 'shop'))
  })
  await copy(join(original, 'shop'), folder)
}

async function succeeds(command: readonly string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await svc(command, { cwd })
  if (code !== 0) throw new Error(`svc ${command.join(' ')} failed: ${stdout}${stderr}`)
}

/** A build is as old as its sources, and as young. */
async function copy(from: string, to: string): Promise<void> {
  const packages = join(from, 'node_modules')
  await cp(from, to, { recursive: true, preserveTimestamps: true, filter: (path) => path !== packages })
  await symlink(join(repository, 'node_modules'), join(to, 'node_modules'))
}
