/** How long files may be. A file that has grown past its bound holds more than one idea. */
import type { Finding } from './finding.ts'
import { packageOf, type SourceFile } from './repository.ts'

export const MAX_SOURCE_LINES = 300
export const MAX_MEDIAN_LINES = 130
export const MAX_TEST_LINES = 400

export function sizeFindings(files: readonly SourceFile[], limit: number): Finding[] {
  return files
    .filter((file) => countLines(file.text) > limit)
    .map((file) => ({
      path: file.path,
      line: 0,
      problem: `has ${countLines(file.text)} lines, at most ${limit} are allowed`,
      fix: 'give its second idea a file of its own'
    }))
}

/** Packages whose middle file is too long, even if none is over the limit. */
export function medianFindings(files: readonly SourceFile[]): Finding[] {
  const lengths = new Map<string, number[]>()
  for (const file of files) {
    const owner = packageOf(file.path)
    if (owner !== null) lengths.set(owner, [...(lengths.get(owner) ?? []), countLines(file.text)])
  }
  return [...lengths]
    .filter(([, counts]) => median(counts) > MAX_MEDIAN_LINES)
    .map(([owner, counts]) => ({
      path: `plugins/${owner}/src`,
      line: 0,
      problem: `has a median of ${median(counts)} lines a file, at most ${MAX_MEDIAN_LINES} are allowed`,
      fix: 'split its longest files'
    }))
}

export function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
