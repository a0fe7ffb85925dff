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

/** Why a test is skipped. */
export const NO_SMALL_DISK = 'NOT TESTED: a full disk needs the right to mount a tmpfs (Linux, root)'

/** @returns `null` where nothing can be mounted */
export function smallDisk(t: Test, kilobytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
  const mounted = process.platform === 'linux' && mount(`size=${kilobytes}k,mode=700`)
  t.teardown(() => {
    if (mounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return mounted ? { folder, enlarge: () => void mount(`remount,size=${kilobytes * 16}k`) } : null
}
