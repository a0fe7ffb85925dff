/** Another commit of this repository beside this one: a worktree in a temporary folder, with its own packages and build. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OtherCheckout {
  readonly folder: string
  remove(): void
}

/** @param root of this checkout @param commit anything that git resolves */
export async function otherCheckout(root: string, commit: string): Promise<OtherCheckout> {
  const parent = mkdtempSync(join(tmpdir(), 'svc-guard-'))
  const folder = join(parent, 'checkout')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const remove = () => {
    rmSync(parent, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  try {
    git('worktree', 'add', '--detach', folder, commit)
    execFileSync(process.execPath, [join(folder, '.config', 'bootstrap.mjs')], { cwd: folder, stdio: 'inherit' })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}
