/** What a migration found where it would have made it. Its way back leaves that in place, as it was. Pure. */
import type { ColumnPlan } from 'svc-stores/table'
import type { MigratedReference } from './migration.ts'

export interface FoundPart {
  readonly entity: string
  /** As the migration has it; absent: the table. */
  readonly column?: ColumnPlan
  /** The name that it had. */
  readonly was?: string
  /** A reference that the database kept already. */
  readonly reference?: MigratedReference
  /** The column took null, and the migration has made it required. */
  readonly tookNull?: true
}

export type FoundColumn = FoundPart & { readonly column: ColumnPlan }

export class FoundInPlace {
  readonly #known: readonly FoundPart[]
  readonly #noted: FoundPart[] = []

  /** @param known what the way up has noted; none while it runs */
  constructor(known: readonly FoundPart[] = []) {
    this.#known = known
  }

  /** Of this run. */
  get noted(): readonly FoundPart[] {
    return this.#noted
  }

  note(found: FoundPart): void {
    this.#noted.push(found)
  }

  table(entity: string): FoundPart | undefined {
    return this.#known.find(({ entity: each, column, reference }) => each === entity && !column && !reference)
  }

  reference(entity: string, column: string): FoundPart | undefined {
    return this.#known.find((each) => each.entity === entity && each.reference?.column === column)
  }

  column(entity: string, name: string): FoundColumn | undefined {
    return this.columns(entity).find(({ column }) => column.name === name)
  }

  columns(entity: string): readonly FoundColumn[] {
    return this.#known.filter((each): each is FoundColumn => each.entity === entity && each.column !== undefined)
  }
}
