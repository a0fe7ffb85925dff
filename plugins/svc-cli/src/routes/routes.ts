export async function routes(..._args: unknown[]): Promise<void> {
  throw new Error('later')
}
