package dev.ratelimit.web.servlet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.web.PathForms;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the path that rules are matched against. This is the path that MVC matches its
 * handlers against. If the request goes to another servlet, it is the whole path within
 * the application, as the container mapped it and as the client wrote it. Tested by
 * {@code RateLimitFilterTests}.
 */
final class RequestPaths {

	private final Map<String, Boolean> dispatcherServlets = new ConcurrentHashMap<>();

	/**
	 * The path of a request. A path that MVC cannot parse makes MVC fail, and MVC
	 * responds to that: rules such as {@code /**} still cover it, as it was written.
	 * @param request the request
	 * @return the path
	 */
	PathForms of(HttpServletRequest request) {
		if (!goesToMvc(request)) {
			return PathForms.ofServlet(written(request), mapped(request));
		}
		PathContainer path = ofMvc(request);
		return (request.getHeader(HttpHeaders.UPGRADE) != null) ? PathForms.ofMvcOrFilter(path, mappedByMvc(request))
				: PathForms.ofMvc(path);
	}

	/** The path that MVC matches its handlers against. */
	static PathContainer ofMvc(HttpServletRequest request) {
		try {
			return ServletRequestPathUtils.parse(request).pathWithinApplication();
		}
		catch (IllegalArgumentException ex) {
			return PathForms.text(request.getRequestURI());
		}
	}

	private static PathContainer written(HttpServletRequest request) {
		try {
			return RequestPath.parse(request.getRequestURI(), request.getContextPath()).pathWithinApplication();
		}
		catch (IllegalArgumentException ex) {
			return PathForms.text(request.getRequestURI());
		}
	}

	private static String mapped(HttpServletRequest request) {
		String pathInfo = request.getPathInfo();
		return (pathInfo != null) ? request.getServletPath() + pathInfo : request.getServletPath();
	}

	/**
	 * Without the prefix of its mapping. A filter behind ours may serve the path in this
	 * form, as the container's filter for WebSocket endpoints does.
	 */
	private static String mappedByMvc(HttpServletRequest request) {
		String pathInfo = request.getPathInfo();
		return (pathInfo != null) ? pathInfo : request.getServletPath();
	}

	/**
	 * MVC leaves out the prefix of its own mapping; other servlets do not. A servlet that
	 * the container does not name is taken for MVC's, as in mock requests.
	 */
	boolean goesToMvc(HttpServletRequest request) {
		String servlet = request.getHttpServletMapping().getServletName();
		Boolean known = this.dispatcherServlets.get(servlet);
		return (known != null) ? known : this.dispatcherServlets.computeIfAbsent(servlet,
				(name) -> isDispatcherServlet(name, request.getServletContext()));
	}

	private static boolean isDispatcherServlet(String name, ServletContext context) {
		ServletRegistration registration = context.getServletRegistration(name);
		if (registration == null || registration.getClassName() == null) {
			return registration == null;
		}
		try {
			return DispatcherServlet.class
				.isAssignableFrom(ClassUtils.forName(registration.getClassName(), context.getClassLoader()));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

}
