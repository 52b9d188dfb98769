import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/** A part of the page that is loaded when it is first shown. Where loading fails, the rest of the page remains. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Boundary>
      <Suspense fallback={<p className="bar">Loading…</p>}>{createElement(Part, props)}</Suspense>
    </Boundary>
  );
}

class Boundary extends Component<{ children: ReactNode }, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true });

  override state = { hasFailed: false };

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p className="bar bad" role="alert">
        This part of the page cannot be loaded. Send your changes, then load the page again.
      </p>
    );
  }
}
