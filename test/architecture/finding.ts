/** What a rule has to say about one place: where, what is wrong, and how to mend it. */
export interface Finding {
  path: string
  /** 1-based; 0 when the finding concerns the file or folder as a whole. */
  line: number
  problem: string
  fix: string
}

/** One line per finding, the form in which a failing test shows them. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, problem, fix }) => `${path}${line > 0 ? `:${line}` : ''} ${problem}; fix: ${fix}`)
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
