/** A file system of a few megabytes that can be filled: tmpfs, where the machine lets this user mount one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from './backends/backend.ts'

export class SmallDisk {
  readonly folder: string
  readonly mounted: boolean
  readonly #ballast: string

  private constructor(folder: string, mounted: boolean) {
    this.folder = folder
    this.mounted = mounted
    this.#ballast = join(folder, 'ballast')
  }

  /** A folder in any case; `mounted` says whether it can be filled. */
  static open(name: string, megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), `svc-campaign-${name}-`))
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder])
    return new SmallDisk(folder, status === 0)
  }

  /**
   * The disk of a process fills up. Where nothing can be mounted, the process is kept from writing to files instead: the
   * failing calls are the same, the reason is another.
   *
   * @param writer the process id, where it is not the application that writes
   */
  faults(writer?: () => number): Fault[] {
    const full: Fault = {
      name: 'the disk fills up',
      readable: true,
      strike: () => this.fill(),
      mend: () => this.free()
    }
    const barred: Fault = {
      name: 'writes fail',
      readable: true,
      strike: (application) => limitFiles(writer?.() ?? application, '1:unlimited'),
      mend: (application) => limitFiles(writer?.() ?? application, 'unlimited:unlimited')
    }
    return [this.mounted ? full : barred]
  }

  /** Takes all room that is left, to the last page. */
  fill(): void {
    const file = openSync(this.#ballast, 'a')
    try {
      for (const size of [1 << 20, 1 << 12]) {
        const block = Buffer.alloc(size)
        while (appends(file, block));
      }
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  close(): void {
    if (this.mounted) spawnSync('umount', ['-l', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function appends(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

/** Largest offset in a file that the process may write to, soft and hard. */
function limitFiles(pid: number, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`])
}
