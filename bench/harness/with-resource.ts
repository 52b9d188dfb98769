/** Runs `work` with what is opened, and disposes of it afterwards, also where the work fails. */
export async function withResource<R extends AsyncDisposable, T>(
  opening: R | Promise<R>,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  const resource = await opening;
  try {
    return await work(resource);
  } finally {
    await resource[Symbol.asyncDispose]();
  }
}
