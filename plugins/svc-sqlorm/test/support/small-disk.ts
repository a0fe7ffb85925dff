/** A small file system of its own for a test: a tmpfs that can be filled, and made larger. Needs the right to mount one. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface SmallDisk {
  readonly folder: string
  /** Room again: the file system is larger from here on. */
  enlarge(): void
}

/** Runs a test on one; where nothing can be mounted, says so and counts as skipped. */
export async function onSmallDisk(t: Test, kilobytes: number, body: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
  const mounted = process.platform === 'linux' && mount(`size=${kilobytes}k,mode=700`)
  t.teardown(() => {
    if (mounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (mounted) return body({ folder, enlarge: () => void mount(`remount,size=${kilobytes * 16}k`) })
  const reason = 'SKIPPED: no tmpfs can be mounted (Linux, root); nothing here was tested on a full disk'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
}
