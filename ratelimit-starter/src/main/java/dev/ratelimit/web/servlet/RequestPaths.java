package dev.ratelimit.web.servlet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.web.PathForms;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the path that rules are matched against: the one MVC matches its handlers
 * against, or, where the request goes to another servlet, the whole path within the
 * application, as the container mapped it and as the client wrote it.
 */
final class RequestPaths {

	private final Map<String, Boolean> dispatcherServlets = new ConcurrentHashMap<>();

	/**
	 * The path of a request. One that MVC cannot parse makes MVC fail, and that is its
	 * answer to give: rules such as {@code /**} still cover it, as it was written.
	 * @param request the request
	 * @return the path
	 */
	PathForms of(HttpServletRequest request) {
		return goesToMvc(request) ? PathForms.ofMvc(ofMvc(request))
				: PathForms.ofServlet(written(request), mapped(request));
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
	 * MVC leaves the prefix of its own mapping out; other servlets know nothing of that.
	 * A servlet that the container does not name is taken for MVC's, as in mock requests.
	 */
	private boolean goesToMvc(HttpServletRequest request) {
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
