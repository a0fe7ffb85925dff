/** Moves a finished draft to its place: in one rename, or file by file into a folder that is not empty. */
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Draft, DraftFile } from './draft.ts'

/** What lies at a path already. */
export type Occupation = 'nothing' | 'empty' | 'occupied'

export async function occupationOf(target: string): Promise<Occupation> {
  try {
    return (await readdir(target)).length === 0 ? 'empty' : 'occupied'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : 'occupied'
  }
}

/** @throws when something came to lie there in the meantime; nothing is overwritten */
export async function moveDraft(draft: Draft, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  if ((await occupationOf(target)) === 'empty') await rmdir(target)
  await rename(draft.folder, target)
}

/**
 * Copies the files that are missing; those that are there stay as they are.
 *
 * @returns the files written
 */
export async function copyMissing(draft: Draft, target: string): Promise<DraftFile[]> {
  const written: DraftFile[] = []
  try {
    for (const file of draft.files) {
      const destination = join(target, file.path)
      await mkdir(dirname(destination), { recursive: true })
      if (await copyNew(join(draft.folder, file.path), destination)) written.push(file)
    }
    return written
  } catch (error) {
    await Promise.all(written.map(({ path }) => rm(join(target, path), { force: true })))
    throw error
  }
}

async function copyNew(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
