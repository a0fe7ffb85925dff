export async function explain(..._args: unknown[]): Promise<void> {
  throw new Error('later')
}
