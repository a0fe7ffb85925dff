/**
 * Turns edits into a new generation: everything runs again, boots beside the
 * old code, and takes over only when it is ready. What fails leaves the old
 * code serving and the registries as they were. One reload at a time; edits
 * that arrive meanwhile make one more.
 */
import type { Application } from 'svc-host'
import type { Generation } from './generation.ts'

export interface ReloaderParts {
  /** Prepares a clean start: fresh environment, nothing remembered. @returns how to undo it */
  renew(): () => void
  importApplication(): Promise<Application>
  open(app: Application): Promise<Generation>
  /** The new code is ready to serve. */
  onReady(next: Generation, files: readonly string[], tookMs: number): void
  onFailure(error: unknown, files: readonly string[]): void
  now(): number
}

/** Editors write a file in more than one step; they are one edit. */
const SETTLE_MS = 15

export class Reloader {
  readonly #parts: ReloaderParts
  readonly #files = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #building: Promise<void> | null = null
  #stopped = false
  /** The first generation does not serve yet. */
  #waits = false

  constructor(parts: ReloaderParts) {
    this.#parts = parts
  }

  /** The first generation. Edits wait until it serves. @throws what its boot throws */
  first(): Promise<Generation> {
    this.#waits = true
    return this.#load()
  }

  /** The first generation serves: what was edited since it was loaded is taken over, too. */
  serving(): void {
    this.#waits = false
    if (this.#files.size > 0) this.#reload()
  }

  /** @param file what changed, for the report */
  changed(file: string): void {
    if (this.#stopped) return
    this.#files.add(file)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#reload(), SETTLE_MS)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#building
  }

  #reload(): void {
    if (this.#building !== null || this.#stopped || this.#waits) return
    this.#building = this.#build().finally(() => {
      this.#building = null
      if (this.#files.size > 0) this.#reload()
    })
  }

  async #build(): Promise<void> {
    const { now, onReady, onFailure } = this.#parts
    const files = [...this.#files]
    this.#files.clear()
    const began = now()
    try {
      const next = await this.#load()
      if (this.#stopped) await next.retire(1001, 0)
      else onReady(next, files, now() - began)
    } catch (error) {
      onFailure(error, files)
    }
  }

  async #load(): Promise<Generation> {
    const { renew, importApplication, open } = this.#parts
    const undo = renew()
    try {
      return await open(await importApplication())
    } catch (error) {
      undo()
      throw error
    }
  }
}
