/** Parts of the data of organisations: what an export holds of each, and what a deletion takes away. */
import { copyJson } from 'svc-stores/plugin'
import { ArchiveTooLarge, PartTaken } from '../errors.ts'

/** One part of the data of an organisation, as its plugin or the application has it. Both run in the name of the organisation. */
export interface OrganizationPart {
  /** @returns what there is of the organisation, as JSON */
  export(organization: { readonly id: string }): unknown
  /** Removes it; called again after a failure, and ten minutes after the organisation is gone. Absent: it stays. */
  erase?(organization: { readonly id: string }): unknown
}

export class OrganizationData {
  readonly #parts = new Map<string, OrganizationPart>()

  /** @throws PartTaken */
  add(name: string, part: OrganizationPart): void {
    if (this.#parts.has(name)) throw new PartTaken(name)
    this.#parts.set(name, part)
  }

  /** All parts by name. @throws ArchiveTooLarge, and what a part throws */
  async export(id: string, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
    const archive: Record<string, unknown> = {}
    for (const [name, part] of this.#parts) {
      // As JSON writes it: rows of entities have dates.
      archive[name] = copyJson(JSON.parse(JSON.stringify((await part.export({ id })) ?? null)), name)
    }
    const bytes = Buffer.byteLength(JSON.stringify(archive))
    if (bytes > maxBytes) throw new ArchiveTooLarge(String(bytes), String(maxBytes))
    return archive
  }

  /** Rejects with what a part throws; those after it are then left for the next attempt. */
  async erase(id: string): Promise<void> {
    for (const part of this.#parts.values()) await part.erase?.({ id })
  }
}
