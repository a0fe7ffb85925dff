/** Parts of the data of accounts: what an export holds of each, and what a deletion takes away with them. */
import type { AccountView } from 'svc-security'
import { copyJson } from 'svc-stores/plugin'
import { ExportTooLarge, PartTaken } from '../errors.ts'

/** Whose data it is. */
export type DataSubject = Pick<AccountView, 'id' | 'identifier'>

/** One part of the data of accounts, as its plugin or the application has it. */
export interface DataPart {
  /** @returns what there is of a user, as JSON */
  export(user: DataSubject): unknown
  /** Removes or anonymises it; called again after a failure. Absent: it stays. */
  erase?(user: DataSubject): unknown
}

export class DataParts {
  readonly #parts = new Map<string, DataPart>()

  /** @throws PartTaken */
  add(name: string, part: DataPart): void {
    if (this.#parts.has(name)) throw new PartTaken(name)
    this.#parts.set(name, part)
  }

  /** All parts by name. @throws ExportTooLarge, and what a part throws */
  async export(user: DataSubject, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
    const archive: Record<string, unknown> = {}
    for (const [name, part] of this.#parts) {
      // As JSON writes it: rows of entities have dates.
      archive[name] = copyJson(JSON.parse(JSON.stringify((await part.export(user)) ?? null)), name)
    }
    const bytes = Buffer.byteLength(JSON.stringify(archive))
    if (bytes > maxBytes) throw new ExportTooLarge(String(bytes), String(maxBytes))
    return archive
  }

  /** Rejects with what a part throws; those after it are then left for the next attempt. */
  async erase(user: DataSubject): Promise<void> {
    for (const part of this.#parts.values()) await part.erase?.(user)
  }
}
