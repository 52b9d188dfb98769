import { Component, type ReactNode, Suspense } from 'react';

/** Around a part of the page that is loaded when it is asked for. Where that fails, the rest of the page stays as it is. */
export class LazyPart extends Component<{ children: ReactNode }, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true });

  override state = { hasFailed: false };

  override render() {
    if (!this.state.hasFailed)
      return <Suspense fallback={<p className="bar">Loading…</p>}>{this.props.children}</Suspense>;
    return (
      <p className="bar bad" role="alert">
        This part of the page cannot be loaded. Send your changes, then load the page again.
      </p>
    );
  }
}
