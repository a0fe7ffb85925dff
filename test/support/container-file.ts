/** A Dockerfile as its stages and instructions: what a test does in the place of Docker. Pure. */

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** @returns the instructions of each stage, without its FROM */
export function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = []
  for (const line of dockerfile.replace(/\\\n\s*/g, '').split('\n')) {
    const [, name, text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    else if (name !== undefined) stages.at(-1)?.push({ name, text })
  }
  return stages
}

export function textsOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ text }) => text)
}
