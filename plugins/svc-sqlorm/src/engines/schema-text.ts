/** Parts of schema statements, as SQL: names, literals, checks. */
/** A name as SQL has it, whatever is in it. */
export function identifier(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`
}

/** A default as SQL has it. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** An integer as a literal. @throws SyntaxError for text that is none */
export function digits(value: unknown): string {
  return String(BigInt(value as string))
}

export function columnBetween(name: string, least: number, most: number): string {
  return ` check (${identifier(name)} between ${least} and ${most})`
}
